/**
 * JavaScript for `node --eval`, run inside the namespace. The arguments are the two timeouts in
 * milliseconds and the targets (`address,port`). It probes all targets at once and prints a JSON list
 * of states. If any port answers, the silent ones are probed once more, because a link that was not
 * ready may have lost the first packet.
 */
export const outsideProbeProgram = `
const { connect } = require('node:net');
const { setTimeout: sleep } = require('node:timers/promises');
const [unproved, proved, ...targets] = process.argv.slice(1);

const probe = (target, timeout) => new Promise((resolve) => {
  const [host, port] = target.split(',');
  const socket = connect({ host, port: Number(port) });
  const end = (state) => { socket.destroy(); resolve(state); };
  // Timers run before I/O: on a busy machine an answer may already be waiting.
  socket.setTimeout(Number(timeout), () => setImmediate(end, 'filtered'));
  socket.once('connect', () => end('open')).once('error', () => end('refused'));
});

/** Probes the targets of one IP version. */
const probeAll = async (targets) => {
  const states = new Map();
  const record = async (target, timeout) => {
    const state = await probe(target, timeout);
    // An answer takes precedence over a timeout.
    if (state !== 'filtered' || !states.has(target)) states.set(target, state);
  };
  const answers = targets.map(async (target) => {
    await record(target, unproved);
    if (states.get(target) === 'filtered') throw new Error('no answer');
  });
  const answered = await Promise.any(answers).then(() => true, () => false);
  if (!answered) return states;
  // Open ports answer at about the same time. The pause avoids a second connection to sshd.
  await sleep(50);
  await Promise.all(targets.filter((target) => !states.has(target)).map((target) => record(target, proved)));
  return states;
};

const isIPv6 = (target) => target.includes(':');
const byVersion = [targets.filter(isIPv6), targets.filter((target) => !isIPv6(target))];
Promise.all(byVersion.map(probeAll)).then((found) => {
  const states = new Map(found.flatMap((states) => [...states]));
  console.log(JSON.stringify(targets.map((target) => states.get(target))));
  // Pending probes would keep the process alive.
  process.exit();
});
`;
