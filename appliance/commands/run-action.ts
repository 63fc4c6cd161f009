import { LandfallError } from '#contract/errors.ts';
import { Host } from '../host/host.ts';
import { runCommand } from '../host/run/command.ts';
import { type Facts, loadFacts } from '../load-facts.ts';
import { releaseFolder } from './release-folder.ts';

/** What `landfall <command> <name>` does with this server and the words that follow. */
export type Action = (facts: Facts, args: readonly string[]) => Promise<void>;

/**
 * Runs the part of a command that its first word names, on this server.
 * @param usual what is run without a word
 * @throws LandfallError USAGE for a name that is not among the actions; what the action throws
 */
export async function runAction(
  command: string,
  actions: Readonly<Record<string, Action>>,
  usual: string,
  [name = usual, ...args]: readonly string[],
): Promise<void> {
  const run = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!run) {
    throw new LandfallError('USAGE', `landfall ${command} does not know ${name}`, {
      hint: `It knows ${Object.keys(actions).join(', ')}.`,
    });
  }
  await run(await loadFacts(new Host('/', runCommand), await releaseFolder()), args);
}
