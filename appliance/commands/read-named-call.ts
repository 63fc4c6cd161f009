import { type ParseArgsConfig, parseArgs } from 'node:util';
import { LandfallError } from '#contract/errors.ts';

/**
 * Reads a call that names one thing, with options around it in any order: `pull NAME --mirror URL`.
 * @param command its name, as people type it
 * @throws LandfallError USAGE
 */
export function readNamedCall<Options extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  args: readonly string[],
  options: Options,
) {
  const { values, positionals } = parse(command, args, options);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) {
    throw new LandfallError('USAGE', `landfall ${command} takes one name`, {
      hint: `For example: sudo landfall ${command} qwen3:8b`,
    });
  }
  return { name, options: values };
}

function parse<Options extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (cause) {
    const known = ['a name', ...Object.keys(options).map((name) => `--${name}`)];
    throw new LandfallError('USAGE', `landfall ${command} does not take ${args.join(' ')}`, {
      hint: `It takes ${known.join(' and ')}.`,
      cause,
    });
  }
}
