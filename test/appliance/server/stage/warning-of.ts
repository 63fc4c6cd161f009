import type { Warning } from '../../../../appliance/server/stage/reporter.ts';

/** Returns a warning with this text and default kind and subject. */
export function warningOf(text: string, rest: Partial<Warning> = {}): Warning {
  return { kind: 'swap', subject: 'zfs', text, ...rest };
}
