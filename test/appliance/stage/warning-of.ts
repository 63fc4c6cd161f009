import type { Warning } from '../../../appliance/stage/warning.ts';

/** A warning with this text; its kind and subject do not matter unless they are given. */
export function warningOf(text: string, rest: Partial<Warning> = {}): Warning {
  return { kind: 'swap', subject: 'zfs', text, ...rest };
}
