// A short soft tone for "your turn". Off unless the reader wants it; made by WebAudio, no file.
const CHOICE = 'ludens.sound';
let audio = null;

export const soundWanted = () => localStorage.getItem(CHOICE) === 'on';
export const wantSound = (wanted) => localStorage.setItem(CHOICE, wanted ? 'on' : 'off');

export function beep() {
  if (!soundWanted()) return;
  audio ??= new AudioContext();
  audio.resume().then(() => {
    const start = audio.currentTime;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.setValueAtTime(523, start);
    tone.frequency.setValueAtTime(659, start + 0.12);
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.12, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.4);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.42);
  });
}
