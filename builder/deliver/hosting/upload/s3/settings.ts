import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { type S3Target, s3TargetAt } from '#contract/s3-target.ts';
import { fileError } from '#files/file-error.ts';
import { isMissing } from '#files/open-regular.ts';
import type { BucketTarget } from '../upload-target.ts';

/** How to reach and sign requests to a bucket. */
export interface S3Settings extends S3Target {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

interface S3Flags {
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly virtualHost?: boolean | undefined;
}

/**
 * Returns the settings of options, then of the endpoint, then of the variables of AWS, then of its files. Keys
 * are never options, because other users of the machine can see those.
 * @param folder a bucket with a folder, and the endpoint if `--to` names it
 * @throws LandfallError USAGE without keys or for an invalid endpoint, FILE_ACCESS
 */
export async function s3Settings(
  folder: BucketTarget,
  flags: S3Flags,
  env: NodeJS.ProcessEnv,
): Promise<S3Settings> {
  if (folder.endpoint !== undefined && flags.endpoint !== undefined) {
    throw new LandfallError('USAGE', '--endpoint and an https URL in --to exclude each other', {
      hint: 'Use one of them.',
    });
  }
  const profile = await readAwsProfile(env);
  const fallback =
    flags.region || env.AWS_REGION || env.AWS_DEFAULT_REGION || profile.region || 'us-east-1';
  const endpoint =
    folder.endpoint ||
    flags.endpoint ||
    env.AWS_ENDPOINT_URL_S3 ||
    env.AWS_ENDPOINT_URL ||
    profile.endpoint_url ||
    `https://s3.${fallback}.amazonaws.com`;
  const options = { region: flags.region, isVirtualHost: flags.virtualHost };
  const target = s3TargetAt(checkedEndpoint(endpoint), folder, options);
  if (!target) {
    throw new LandfallError('USAGE', `the endpoint has no host name for ${folder.bucket}`, {
      hint: 'Use the endpoint of this bucket, and no IP address with --virtual-host.',
    });
  }
  return { ...target, region: target.region ?? fallback, ...keysOf(env, profile) };
}

type Keys = Pick<S3Settings, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'>;

/** Both keys come from the same source, with the token that belongs to them. */
function keysOf(env: NodeJS.ProcessEnv, profile: AwsProfile): Keys {
  const sources = [
    [env.AWS_ACCESS_KEY_ID, env.AWS_SECRET_ACCESS_KEY, env.AWS_SESSION_TOKEN],
    [profile.aws_access_key_id, profile.aws_secret_access_key, profile.aws_session_token],
  ];
  for (const [accessKeyId, secretAccessKey, token] of sources) {
    if (!accessKeyId || !secretAccessKey) continue;
    return { accessKeyId, secretAccessKey, sessionToken: token || undefined };
  }
  throw new LandfallError('USAGE', 'no access keys for the bucket', {
    hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or add them to ~/.aws/credentials.',
  });
}

function checkedEndpoint(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.search;
  if (isPlain) return url.href;
  throw new LandfallError('USAGE', 'the endpoint is not an http or https URL without a login', {
    hint: 'Write, for example, --endpoint https://s3.example.com',
  });
}

/** The settings of a profile, by name. */
type AwsProfile = Readonly<Record<string, string | undefined>>;

/**
 * Reads a profile as the tools of AWS do: from `~/.aws/config`, then from `~/.aws/credentials`, which
 * wins. Empty without files.
 * @throws LandfallError FILE_ACCESS
 */
async function readAwsProfile(env: NodeJS.ProcessEnv): Promise<AwsProfile> {
  const name = env.AWS_PROFILE || 'default';
  const folder = join(env.HOME ?? env.USERPROFILE ?? '.', '.aws');
  const config = await textOf(env.AWS_CONFIG_FILE || join(folder, 'config'));
  const credentials = await textOf(env.AWS_SHARED_CREDENTIALS_FILE || join(folder, 'credentials'));
  // Only the default profile has no prefix in the first file.
  const section = name === 'default' ? name : `profile ${name}`;
  return { ...settingsOf(config, section), ...settingsOf(credentials, name) };
}

/** Parses one section. Indented lines are nested settings, which are not needed here. */
function settingsOf(text: string, section: string): Record<string, string> {
  const settings: Record<string, string> = {};
  let isInside = false;
  for (const line of text.split(/\r?\n/)) {
    const [, heading] = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line) ?? [];
    if (heading !== undefined) isInside = heading.replace(/\s+/g, ' ') === section;
    const [, key, value] = /^([a-z_]\w*)\s*=\s*(.*?)\s*$/i.exec(line) ?? [];
    if (isInside && key && value !== undefined) settings[key.toLowerCase()] = value;
  }
  return settings;
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw fileError(error, path);
  }
}
