import { LandfallError } from '#contract/errors.ts';
import { installedMark } from '#contract/server-paths.ts';
import { readText } from '../host/files.ts';
import { Host } from '../host/host.ts';
import { runCommand } from '../host/run/command.ts';
import { takeRunLock } from '../host/run-lock.ts';
import { loadFacts } from '../load-facts.ts';
import { knownSecret, setSecret } from '../secrets/set-secret.ts';
import { stackStage } from '../stack/stage.ts';
import { Journal } from '../stage/journal.ts';
import { runAlone } from '../stage/run-stages.ts';
import type { Command } from './command.ts';
import { readHidden } from './read-hidden.ts';
import { releaseFolder } from './release-folder.ts';

export const secretCommand: Command = {
  summary: 'give the server a key that only you know, such as that of a provider',
  usage: 'set NAME',
  example: 'sudo landfall secret set OPENAI_API_KEY',
  root: true,
  run: async (args) => {
    const wanted = nameIn(args);
    const host = new Host('/', runCommand);
    const facts = await loadFacts(host, await releaseFolder());
    const name = knownSecret(facts.site, wanted);
    const isInstalled = (await readText(host, installedMark)) !== undefined;
    const value = await readHidden(`Value of ${name} (it is not shown): `);
    // A first boot takes the value as it goes on. Otherwise nothing else may change the stack now.
    if (isInstalled) await takeRunLock(host, 'first-boot');
    await setSecret(host, name, value);
    if (!isInstalled) {
      console.log(`${name} is set. The first boot goes on with it.`);
      return;
    }
    const report = { say: console.log, warn: console.log, progress: () => {} };
    await runAlone(stackStage, { ...facts, report }, new Journal(host));
    console.log(`${name} is set, and what uses it has started again.`);
  },
};

/** @throws LandfallError USAGE; what was given beside the name is not repeated, it may be the secret */
export function nameIn([action, name, ...rest]: readonly string[]): string | undefined {
  if (action === 'set' && rest.length === 0) return name;
  throw new LandfallError('USAGE', 'landfall secret takes set and a name', {
    hint: 'Run: sudo landfall secret set OPENAI_API_KEY. It asks for the value, which never is an argument.',
  });
}
