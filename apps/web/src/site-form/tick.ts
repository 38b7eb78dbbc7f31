let sound: AudioContext | undefined;

/** A short buzz and a tick, where the device has them: eyes are on the label. */
export function tick(): void {
  navigator.vibrate?.(60);
  if (typeof AudioContext === 'undefined') return;
  sound ??= new AudioContext();
  const tone = sound.createOscillator();
  const loudness = sound.createGain();
  tone.frequency.value = 1_760;
  loudness.gain.setValueAtTime(0.2, sound.currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.08);
  tone.connect(loudness).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + 0.08);
}
