import { execa } from 'execa';

/** Debian packages of the tools in tests; all are available in Debian and Ubuntu images. */
const packages = { openssl: 'openssl', tar: 'tar', sha256sum: 'coreutils', python3: 'python3' };

/**
 * Runs a tool that users verify a bundle with, and returns its output.
 * Fails if the tool fails, and names the package of a missing tool.
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

/** Returns whether a tool accepts its input, by exit status only. */
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
