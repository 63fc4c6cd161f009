import { type Command, InvalidArgumentError, Option, type OptionValues } from 'commander';
import { LandfallError } from '#contract/errors.ts';

/** Collects the values of a repeatable option. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

/** Returns a repeatable option with values of a list; commander rejects other values. */
export function repeatable<const Flags extends string, Choice extends string>(
  flags: Flags,
  description: string,
  choices: readonly Choice[],
) {
  return new Option(flags, description)
    .choices(choices)
    .argParser((value: string, previous: Choice[] = []): Choice[] => {
      const choice = choices.find((each) => each === value);
      if (choice) return [...previous, choice];
      throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
    });
}

/** Returns a parser of whole numbers from 1 to `max`. @throws LandfallError USAGE for other texts */
export function wholeNumber(option: string, max: number) {
  return (text: string): number => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= 1 && number <= max) return number;
    throw new LandfallError('USAGE', `${option} ${text} is not a whole number from 1 to ${max}`, {
      hint: 'Leave it out to use the default.',
    });
  };
}

/** Options for trusted keys. */
export interface TrustFlags {
  readonly key: readonly string[];
  readonly recoveryKey?: string;
  readonly acceptNewKeys?: boolean;
}

/** Adds the options for trusted keys. */
export function withTrustOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('--key <file>', 'trusted public key; repeatable', collect, [])
    .option('--recovery-key <file>', 'trusted recovery key')
    .option('--accept-new-keys', 'trust the keys that a release announces, and print both lists');
}

/** Adds `--ca`. */
export function withCaOption<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command.option(
    '--ca <file>',
    'also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)',
  );
}

/** Adds `--quiet` and `--json`. */
export function withOutputOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('--quiet', 'print only errors')
    .option('--json', 'print the result as JSON');
}
