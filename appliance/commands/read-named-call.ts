import { type ParseArgsConfig, parseArgs } from 'node:util';
import { LandfallError } from '#contract/errors.ts';

/** What a call names, for the message when it does not: `a name`, and one such as people type. */
interface Thing {
  readonly noun: string;
  readonly example: string;
}

const model: Thing = { noun: 'name', example: 'qwen3:8b' };

/**
 * Reads a call that names one thing, with options around it in any order: `pull NAME --mirror URL`.
 * @param command its name, as people type it
 * @param thing what it names; a model where nothing is said
 * @throws LandfallError USAGE
 */
export function readNamedCall<Options extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  args: readonly string[],
  options: Options,
  thing: Thing = model,
) {
  const { values, positionals } = parse(command, args, options, thing);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) {
    const tooMuch = more.length > 0 ? `, not also ${more.join(' ')}` : '';
    throw new LandfallError('USAGE', `landfall ${command} takes one ${thing.noun}${tooMuch}`, {
      hint: `For example: sudo landfall ${command} ${thing.example}`,
    });
  }
  return { name, options: values };
}

function parse<Options extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  args: readonly string[],
  options: Options,
  { noun }: Thing,
) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (cause) {
    const known = [`a ${noun}`, ...Object.keys(options).map((name) => `--${name}`)];
    throw new LandfallError('USAGE', `landfall ${command} does not take ${args.join(' ')}`, {
      hint: `It takes ${known.join(' and ')}.`,
      cause,
    });
  }
}
