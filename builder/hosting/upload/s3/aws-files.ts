import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '#files/open-regular.ts';
import { fileError } from '../../../files/file-error.ts';

/** The settings of a profile, by name. */
type AwsProfile = Readonly<Record<string, string | undefined>>;

/**
 * Reads a profile as the tools of AWS do: from `~/.aws/config`, then from `~/.aws/credentials`, which
 * wins. Empty without files.
 * @throws LandfallError FILE_ACCESS
 */
export async function readAwsProfile(env: NodeJS.ProcessEnv): Promise<AwsProfile> {
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
