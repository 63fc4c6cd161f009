import { execa } from 'execa';

/** The Debian packages of what tests run; all are in every Debian and Ubuntu image. */
const packages = { openssl: 'openssl', tar: 'tar', sha256sum: 'coreutils', python3: 'python3' };

/**
 * Runs one of the tools that people check a bundle with, and gives what it prints.
 * Fails when the tool does, and says which package is missing where it is not there.
 */
export async function run(
  tool: keyof typeof packages,
  args: readonly string[],
  input = '',
): Promise<string> {
  try {
    const { stdout } = await execa(tool, args, { input, env: { LC_ALL: 'C', TZ: 'UTC' } });
    return stdout;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new Error(`this test runs ${tool}: install the package ${packages[tool]}`);
  }
}

/** Tells whether a tool accepts something: its exit status, never its words. */
export async function accepts(
  tool: keyof typeof packages,
  args: readonly string[],
  cwd?: string,
): Promise<boolean> {
  const { failed, exitCode, cause } = await execa(tool, args, {
    reject: false,
    ...(cwd && { cwd }),
  });
  if (isMissing(cause)) throw new Error(`this test runs ${tool}: install ${packages[tool]}`);
  return !failed && exitCode === 0;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
