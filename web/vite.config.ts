import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The built page carries its own policy: no inline or foreign script, no connection elsewhere. */
function contentSecurityPolicy(): Plugin {
  const content = [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
  ].join("; ");
  return {
    name: "content-security-policy",
    apply: "build",
    transformIndexHtml: () => [
      {
        tag: "meta",
        attrs: { "http-equiv": "Content-Security-Policy", content },
        injectTo: "head-prepend",
      },
    ],
  };
}

export default defineConfig({
  root: here("."),
  base: "./",
  plugins: [svelte({ configFile: false }), contentSecurityPolicy()],
  resolve: { alias: { posenc: here("../dist/all_web.js") } },
  // The package finds its .wasm beside itself: pre-bundling in development would move it away.
  optimizeDeps: { exclude: ["posenc"] },
  server: { fs: { allow: [here("..")] } },
  worker: { format: "es" },
  build: {
    outDir: here("../build/web"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
  },
});
