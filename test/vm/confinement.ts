import { enforced } from '../setup/vm/true-host-image.ts';
import type { TrueServer } from './true-server.ts';

/** Returns the lines of the kernel's log since the boot in which an enforced profile denied something. */
export async function denialsIn(server: TrueServer): Promise<string[]> {
  const log = await server.output(
    'journalctl --boot --output=cat _TRANSPORT=kernel + _TRANSPORT=audit',
  );
  const ours = new RegExp(`apparmor="DENIED".* profile="(?:${enforced.join('|')})(?://\\w+)?"`);
  return log.split('\n').filter((line) => ours.test(line));
}

/** What `aa-status --json` prints: the modes of profiles, and the processes of each program. */
interface ConfinementStatus {
  readonly profiles: Readonly<Record<string, string>>;
  readonly processes: Readonly<Record<string, ReadonlyArray<{ profile: string; status: string }>>>;
}

export async function confinementOf(server: TrueServer): Promise<ConfinementStatus> {
  return JSON.parse(await server.output('aa-status --json'));
}
