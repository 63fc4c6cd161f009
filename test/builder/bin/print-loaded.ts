/** Preloaded by tests: prints the URL of every loaded module to stderr when the process ends. */
import { registerHooks } from 'node:module';

const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
process.on('exit', () => console.error(loaded.join('\n')));
