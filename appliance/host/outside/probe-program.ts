/**
 * JavaScript for `node --eval`, run inside the namespace. Its arguments are the two waits in
 * milliseconds and the places (`address,port`). It asks all of them at once and prints a JSON list of
 * states. A port that is silent while another one answers is asked once more, because a link that was
 * not ready may have lost the first packet.
 */
export const outsideProbeProgram = `
const { connect } = require('node:net');
const { setTimeout: sleep } = require('node:timers/promises');
const [unproved, proved, ...places] = process.argv.slice(1);

const ask = (place, wait) => new Promise((resolve) => {
  const [host, port] = place.split(',');
  const socket = connect({ host, port: Number(port) });
  const end = (state) => { socket.destroy(); resolve(state); };
  // Timers come first: an answer may have come while a busy machine did not look.
  socket.setTimeout(Number(wait), () => setImmediate(end, 'filtered'));
  socket.once('connect', () => end('open')).once('error', () => end('refused'));
});

/** Of one version of IP. */
const look = async (places) => {
  const states = new Map();
  const note = async (place, wait) => {
    const state = await ask(place, wait);
    // The attempt that was answered counts.
    if (state !== 'filtered' || !states.has(place)) states.set(place, state);
  };
  const answers = places.map(async (place) => {
    await note(place, unproved);
    if (states.get(place) === 'filtered') throw new Error('silent');
  });
  const answered = await Promise.any(answers).then(() => true, () => false);
  if (!answered) return states;
  // Others that answer do so at the same time: sshd is not to be asked twice.
  await sleep(50);
  await Promise.all(places.filter((place) => !states.has(place)).map((place) => note(place, proved)));
  return states;
};

const isIPv6 = (place) => place.includes(':');
Promise.all([look(places.filter(isIPv6)), look(places.filter((place) => !isIPv6(place)))]).then((found) => {
  const states = new Map(found.flatMap((states) => [...states]));
  console.log(JSON.stringify(places.map((place) => states.get(place))));
  // Without the answers that are still waited for.
  process.exit();
});
`;
