import { InvalidArgumentError } from 'commander';

/** Collects the values of a repeatable option. */
export function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

/**
 * Returns a parser that collects values of a list.
 * @throws InvalidArgumentError when a value is not in the list
 */
export function collectChoice<Choice extends string>(choices: readonly Choice[]) {
  return (value: string, previous: readonly Choice[]): Choice[] => {
    const choice = choices.find((each) => each === value);
    if (choice) return [...previous, choice];
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
  };
}
