// Sounds of a game that a person plays: none until they are turned on.
import { h } from "clade/ui.js";

const notes = { turn: [660], win: [523, 659, 784], loss: [392, 330, 262], tie: [440, 440] };
let audio = null;
let on = false;
try {
  on = localStorage.getItem("sound") === "on";
} catch {} // there may be no storage

// sound plays what has happened: a turn, or how the game ended.
export function sound(name) {
  if (!on || !notes[name]) return;
  audio ??= new AudioContext();
  notes[name].forEach((pitch, i) => {
    const at = audio.currentTime + 0.16 * i;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.15);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.15);
  });
}

// soundButton turns sounds on and off.
export function soundButton() {
  const name = () => `Sound: ${on ? "on" : "off"}`;
  const button = h("button", { onclick: () => {
    on = !on;
    button.textContent = name();
    try {
      localStorage.setItem("sound", on ? "on" : "off");
    } catch {}
    sound("turn");
  } }, name());
  return button;
}
