import { anyCode, type Host } from '../host.ts';

/** The versions of a Debian package. */
interface PackageVersions {
  readonly name: string;
  /** Undefined if the package is not installed. */
  readonly installed: string | undefined;
  /** The version that apt would install; undefined if no package source has one. */
  readonly candidate: string | undefined;
}

/** Returns the versions of the packages that apt knows (apt-cache(8), policy). */
export async function packageVersions(
  host: Host,
  names: readonly string[],
): Promise<PackageVersions[]> {
  const { stdout } = await host.run('apt-cache', ['policy', ...names], { accept: anyCode });
  const stanzas = stdout.matchAll(/^(\S+):\n {2}Installed: (\S+)\n {2}Candidate: (\S+)$/gm);
  return [...stanzas].map(([, name = '', installed, candidate]) => ({
    name,
    installed: versionOf(installed),
    candidate: versionOf(candidate),
  }));
}

function versionOf(text: string | undefined): string | undefined {
  return text === '(none)' ? undefined : text;
}
