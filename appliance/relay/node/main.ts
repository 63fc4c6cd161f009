import { exitCodeOf, LandfallError } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { loadConfig, type RunningRelay, serve } from './serve.ts';

/** Settings file without LANDFALL_RELAY_CONFIG. */
const defaultPath = '/etc/landfall-relay/relay.json';
/** Milliseconds. Docker sends SIGKILL ten seconds after SIGTERM. */
const gracePeriod = 8000;

/** `relay.mjs` starts the relay. `relay.mjs health` checks the running relay for Docker. */
try {
  const { config, ...rest } = loadConfig(
    process.env.LANDFALL_RELAY_CONFIG || defaultPath,
    process.env,
  );
  if (process.argv[2] === 'health') {
    const { port } = config.listen;
    const answer = await fetch(`http://127.0.0.1:${port}/health`);
    process.exitCode = answer.ok ? 0 : 1;
  } else {
    const say = printer();
    const relay = await serve({ config, ...rest }, say);
    const { url, usageProblem } = relay;
    say({ time: new Date().toISOString(), listening: url, route: config.route.mode, usageProblem });
    stopOnSignal(relay);
  }
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exitCode = exitCodeOf(error);
}

/** Returns a function that prints an entry. Those of the same moment are written together. */
function printer(): (line: object) => void {
  let waiting = '';
  const flush = () => {
    if (waiting !== '') process.stdout.write(waiting);
    waiting = '';
  };
  process.once('exit', flush);
  return (line) => {
    if (waiting === '') setImmediate(flush);
    waiting += `${JSON.stringify(line)}\n`;
  };
}

function stopOnSignal(relay: RunningRelay): void {
  const stop = () => void relay.stop(gracePeriod).then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** A system error, such as a port in use, is not a bug, so no stack trace is printed. */
function describe(error: unknown): string {
  const label = 'landfall-relay:';
  if (error instanceof LandfallError) return formatError(error, { label });
  return `${label} ${error instanceof Error ? error.message : String(error)}`;
}
