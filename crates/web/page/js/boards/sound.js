// Synthesized sounds: short and soft, like wood on wood.

/** @typedef {"move" | "capture" | "topple" | "win" | "loss" | "draw" | "low"} Sound */

/** Volume from 0 to 1. */
let volume = 0;
/** Whether the user has interacted with the page. Browsers play no sound before that. */
let touched = false;
/** @type {AudioContext | null} */
let context = null;
/** @type {AudioNode} */
let output;
/** @type {AudioBuffer} */
let noise;
/** Time of the last topple sound, in seconds. Several topples at the same time make one sound. */
let lastTopple = 0;

/** @param {number} next The volume, from 0 (silent) to 1. */
export function setVolume(next) {
  volume = next;
  begin();
}

function begin() {
  if (context || !touched || volume === 0) return;
  context = new AudioContext();
  const soft = context.createDynamicsCompressor();
  soft.connect(context.destination);
  output = soft;
  const length = Math.round(context.sampleRate * 0.05);
  noise = context.createBuffer(1, length, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < length; i += 1) samples[i] = (2 * Math.random() - 1) * (1 - i / length) ** 3;
}

function onGesture() {
  touched = true;
  begin();
}

for (const kind of ["pointerup", "keydown"]) addEventListener(kind, onGesture, { capture: true, passive: true });

/**
 * Plays a partial of a sound: a decaying tone.
 * @param {number} pitch In hertz. @param {number} loudness @param {number} length In seconds. @param {number} at
 */
function tone(pitch, loudness, length, at) {
  if (!context) return;
  const [wave, gain] = [context.createOscillator(), context.createGain()];
  wave.frequency.setValueAtTime(pitch * 1.03, at);
  wave.frequency.exponentialRampToValueAtTime(pitch, at + 0.02);
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loudness * volume, at + 0.003);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  wave.connect(gain).connect(output);
  wave.start(at);
  wave.stop(at + length + 0.02);
}

/**
 * Plays the sound of two pieces of wood that touch.
 * @param {number} pitch @param {number} loudness @param {number} at
 */
function knock(pitch, loudness, at) {
  if (!context) return;
  const [hiss, filter, gain] = [context.createBufferSource(), context.createBiquadFilter(), context.createGain()];
  hiss.buffer = noise;
  filter.type = "bandpass";
  filter.frequency.value = 5 * pitch;
  filter.Q.value = 1.2;
  gain.gain.value = 0.9 * loudness * volume;
  hiss.connect(filter).connect(gain).connect(output);
  hiss.start(at);
  // The partials of a wooden bar.
  tone(pitch, 0.7 * loudness, 0.09, at);
  tone(2.76 * pitch, 0.25 * loudness, 0.045, at);
  tone(5.4 * pitch, 0.08 * loudness, 0.025, at);
}

/** A pentatonic scale, in semitones: all combinations are consonant. */
const SCALE = [0, 2, 4, 7, 9];

/** @param {number} step */
const pitchOf = (step) => 330 * 2 ** ((12 * Math.floor(step / SCALE.length) + SCALE[step % SCALE.length]) / 12);

/** @type {Record<Sound, (at: number, wave: number) => void>} */
const SOUNDS = {
  move: (at) => knock(240, 0.5, at),
  capture: (at) => {
    knock(190, 0.6, at);
    knock(290, 0.35, at + 0.055);
  },
  // Each wave is one step higher, up to two octaves.
  topple: (at, wave) => {
    if (at - lastTopple < 0.04) return;
    lastTopple = at;
    tone(pitchOf(Math.min(wave, 10)), 0.16, 0.16, at);
    knock(300, 0.16, at);
  },
  // A rising chord, a falling third, and the same tone twice.
  win: (at) => [0, 2, 3, 5].forEach((step, i) => tone(pitchOf(step), 0.22, 0.7, at + 0.11 * i)),
  loss: (at) => [2, 0].forEach((step, i) => tone(pitchOf(step) / 2, 0.26, 0.8, at + 0.2 * i)),
  draw: (at) => [0, 1].forEach((i) => tone(pitchOf(1), 0.18, 0.4, at + 0.22 * i)),
  // Two ticks of a clock.
  low: (at) => [0, 1].forEach((i) => tone(1320, 0.16, 0.09, at + 0.16 * i)),
};

/** @param {Sound} sound @param {number} [wave] Number of the wave in a cascade. */
export function play(sound, wave = 0) {
  if (volume === 0 || !context) return;
  if (context.state === "suspended") context.resume();
  SOUNDS[sound](context.currentTime + 0.005, wave);
}
