// A short soft tone for "your turn". Off unless the reader wants it; made by WebAudio, no file.
const SOUND_KEY = 'ludens.sound';
/** @type {AudioContext | null} */
let audio = null;

export const isSoundOn = () => localStorage.getItem(SOUND_KEY) === 'on';
export const setSound = (isOn) => localStorage.setItem(SOUND_KEY, isOn ? 'on' : 'off');

export function beep() {
  if (!isSoundOn()) return;
  audio ??= new AudioContext();
  const context = audio;
  context.resume().then(() => {
    const start = context.currentTime;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.setValueAtTime(523, start);
    tone.frequency.setValueAtTime(659, start + 0.12);
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.12, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.4);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.42);
  });
}
