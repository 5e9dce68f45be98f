// Models of several parts: the model types of parts whose configs name none.

const clip = "clip_vision_model";
const siglip = "siglip_vision_model";
const omni = {
  text: "qwen2_5_omni_text",
  vision: "qwen2_5_omni_vision_encoder",
  audio: "qwen2_5_omni_audio_encoder",
};

export const parts = {
  llama4: { text: "llama4_text" },
  llava: { text: "llama", vision: clip },
  llava_next: { text: "llama", vision: clip },
  vipllava: { text: "llama", vision: clip },
  llava_next_video: { text: "llama", vision: clip },
  llava_onevision: { text: "qwen2", vision: siglip },
  aya_vision: { text: "cohere2", vision: siglip },
  cohere2_vision: { text: "cohere2", vision: siglip },
  internvl: { text: "qwen2", vision: "internvl_vision" },
  janus: { text: "llama", vision: "janus_vision_model" },
  idefics2: { text: "mistral", vision: "idefics2_vision" },
  idefics3: { text: "llama", vision: "idefics3_vision" },
  smolvlm: { text: "llama", vision: "smolvlm_vision" },
  aria: { text: "aria_text", vision: "idefics3_vision" },
  emu3: { text: "emu3_text_model" },
  "blip-2": { text: "opt", vision: "blip_2_vision_model" },
  qwen3_vl_moe: { text: "qwen3_vl_moe_text", vision: "qwen3_vl_vision" },
  owlvit: { text: "owlvit_text_model", vision: "owlvit_vision_model" },
  owlv2: { text: "owlv2_text_model", vision: "owlv2_vision_model" },
  clipseg: { text: "clipseg_text_model", vision: "clipseg_vision_model" },
  metaclip_2: { text: "metaclip_2_text_model", vision: "metaclip_2_vision_model" },
  paligemma: { text: "gemma", vision: siglip },
  multi_modality: { text: "llama" },
  mistral3: { text: "mistral", vision: "pixtral" },
  gemma3: { text: "gemma3_text", vision: siglip },
  gemma3n: { text: "gemma3n_text" },
  gemma4: { text: "gemma4_text" },
  deepseek_vl_v2: { text: "deepseek_v2" },
  kimi_k25: { text: "kimi_k2" },
  qwen2_vl: { text: "qwen2_vl_text", vision: "qwen2_vl_vision" },
  qwen2_5_vl: { text: "qwen2_5_vl_text", vision: "qwen2_5_vl_vision" },
  qwen3_vl: { text: "qwen3_vl_text", vision: "qwen3_vl_vision" },
  qwen3_5: { text: "qwen3_5_text", vision: "qwen3_5_vision" },
  qwen2_audio: { text: "qwen2", audio: "qwen2_audio_encoder" },
  qwen2_5_omni: omni,
  qwen2_5_omni_thinker: omni,
  voxtral: { text: "llama", audio: "voxtral_encoder" },
  clip: { text: "clip_text_model", vision: clip },
  siglip: { text: "siglip_text_model", vision: siglip },
};

/** Models of one config, or of parts. */
export const oneOrParts = {
  ministral3: { text: "ministral3", vision: "pixtral" },
  fuyu: { text: "persimmon" },
};

/** Models whose order is their state, and one whose attention has no positions. */
export const without = [
  "mamba",
  "mamba2",
  "falcon_mamba",
  "rwkv",
  "rwkv5",
  "rwkv6",
  "xlstm",
  "jamba",
];
