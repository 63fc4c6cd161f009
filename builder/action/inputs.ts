import { getInput } from '@actions/core';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { architectureOf, platforms } from '../platform.ts';
import type { Failure } from './failure.ts';

/** The inputs of the Action, validated. Paths are from the workspace. */
interface Inputs {
  readonly config: string;
  readonly kind: Kind;
  /** Empty: every platform of the appliance. */
  readonly archs: readonly Architecture[];
  /** As given; the builder parses it. */
  readonly maxPartSize: string | undefined;
  readonly output: string;
  /** Tag of the draft release that receives the files. */
  readonly publish: string | undefined;
}

const kinds = ['thin', 'full'] as const;
type Kind = (typeof kinds)[number];

/** Tags that are valid in a URL and in a path without escaping. */
const tagPattern = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/;

/**
 * Reads the inputs of the Action from the environment (`INPUT_…`). Returns an error for an unknown
 * kind or platform, or an invalid tag.
 */
export function readInputs(): Inputs | Failure {
  const kindName = getInput('kind') || 'thin';
  const kind = kinds.find((each) => each === kindName);
  if (!kind) return unknown('kind', kindName, kinds);
  const names = getInput('platforms')
    .split(/[\s,]+/)
    .filter((name) => name !== '');
  const chosen = platforms.filter((platform) => names.includes(platform));
  const other = names.find((name) => !platforms.some((platform) => platform === name));
  if (other !== undefined) return unknown('platforms', other, platforms);
  const publish = getInput('publish');
  if (publish !== '' && !tagPattern.test(publish)) return invalidTag(publish);
  return {
    config: getInput('config') || 'appliance.yaml',
    kind,
    archs: chosen.map(architectureOf),
    maxPartSize: getInput('max-part-size') || undefined,
    output: getInput('output') || 'dist',
    publish: publish || undefined,
  };
}

/**
 * Returns the arguments of `landfall build`. Values follow an equals sign, so that a value with a
 * leading hyphen is not read as an option.
 */
export function buildArguments(inputs: Inputs): string[] {
  const { config, kind, archs, maxPartSize, output, publish } = inputs;
  return [
    'build',
    '--json',
    '--frozen',
    `--${kind}`,
    ...archs.map((arch) => `--arch=${arch}`),
    `--config=${config}`,
    `--output=${output}`,
    `--key=env:${keyVariable}`,
    ...(maxPartSize === undefined ? [] : [`--max-part-size=${maxPartSize}`]),
    ...(publish === undefined ? [] : ['--public']),
  ];
}

/** Environment variable with the private key in PEM. */
export const keyVariable = 'RELEASE_KEY';

function unknown(input: string, value: string, choices: readonly string[]): Failure {
  return {
    code: 'USAGE',
    message: `${input}: unknown value ${JSON.stringify(value)}`,
    hint: `Choose from: ${choices.join(', ')}.`,
  };
}

function invalidTag(value: string): Failure {
  return {
    code: 'USAGE',
    message: `publish: invalid tag ${JSON.stringify(value)}`,
    hint: 'Use letters, digits, and . _ + - after the first character.',
  };
}
