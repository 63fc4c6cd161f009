import { getInput } from '@actions/core';
import { architectureOf, platforms } from '../../base/platform.ts';
import type { Failure } from './failure.ts';

/** What the inputs of the Action ask for. Paths are from the workspace. */
interface Inputs {
  /** Arguments of `landfall`. */
  readonly args: readonly string[];
  readonly output: string;
  /** Tag of the draft release that receives the files; empty for none. */
  readonly publish: string;
}

const kinds = ['thin', 'full'];

/** Tags that are valid in a URL and in a path without escaping. */
const tagPattern = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/;

/** Environment variable with the private key in PEM. */
export const keyVariable = 'RELEASE_KEY';

/**
 * Reads the inputs of the Action from the environment (`INPUT_…`). Returns an error for an unknown
 * kind or platform, or an invalid tag.
 */
export function readInputs(): Inputs | Failure {
  const kind = getInput('kind') || 'thin';
  if (!kinds.includes(kind)) return unknown('kind', kind, kinds);
  const names = getInput('platforms')
    .split(/[\s,]+/)
    .filter((name) => name !== '');
  const other = names.find((name) => !platforms.some((platform) => platform === name));
  if (other !== undefined) return unknown('platforms', other, platforms);
  const publish = getInput('publish');
  if (publish !== '' && !tagPattern.test(publish)) {
    return {
      code: 'USAGE',
      message: `publish: invalid tag ${JSON.stringify(publish)}`,
      hint: 'Use letters, digits, and . _ + - after the first character.',
    };
  }
  const output = getInput('output') || 'dist';
  const maxPartSize = getInput('max-part-size');
  // Values follow an equals sign, so that a value with a leading hyphen is not read as an option.
  const args = [
    ...['build', '--json', '--frozen', `--${kind}`],
    ...platforms
      .filter((platform) => names.includes(platform))
      .map((platform) => `--arch=${architectureOf(platform)}`),
    `--config=${getInput('config') || 'appliance.yaml'}`,
    `--output=${output}`,
    `--key=env:${keyVariable}`,
    ...(maxPartSize === '' ? [] : [`--max-part-size=${maxPartSize}`]),
    ...(publish === '' ? [] : ['--public']),
  ];
  return { args, output, publish };
}

function unknown(input: string, value: string, choices: readonly string[]): Failure {
  return {
    code: 'USAGE',
    message: `${input}: unknown value ${JSON.stringify(value)}`,
    hint: `Choose from: ${choices.join(', ')}.`,
  };
}
