import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { providePythonPackage } from '../../setup/real/python-package.ts';

/** A real certbot, as a command and its environment. */
export interface Certbot {
  readonly version: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Returns the certbot of `appliance.yaml` from PyPI; downloads it the first time (20 MB). */
export async function provideCertbot(): Promise<Certbot> {
  const version = await lockedVersion();
  const folder = await providePythonPackage('certbot', version);
  return {
    version,
    command: ['python3', '-c', 'import sys; from certbot.main import main; sys.exit(main())'],
    env: { PYTHONPATH: folder },
  };
}

async function lockedVersion(): Promise<string> {
  const file = new URL('../../../builder/inputs/appliance.yaml', import.meta.url);
  const { components } = parse(await readFile(file, 'utf8')) as {
    components: { acme: { image: string } };
  };
  return components.acme.image.replace(/^.*:v/, '');
}
