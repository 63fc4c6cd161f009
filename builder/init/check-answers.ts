import { LandfallError, type Problem } from '#contract/errors.ts';
import { parseYaml } from '#yaml/parse.ts';
import { parseSite, type SiteOptions } from '../config/parse-site.ts';

/**
 * Validates the text of site.yaml before it is written, with the same rules as `landfall user-data`.
 * @param options whether the user consented to a proxy password in it, and where warnings go
 * @throws LandfallError USAGE, SITE_SECRET
 */
export function checkAnswers(siteText: string, options: SiteOptions): void {
  try {
    parseSite(parseYaml(Buffer.from(siteText), 'site.yaml'), options);
  } catch (error) {
    throw asAnswers(error);
  }
}

/** Removes lines and columns, because the file does not exist yet. */
function asAnswers(error: unknown): unknown {
  if (!(error instanceof LandfallError)) return error;
  if (error.code === 'SITE_SECRET') {
    // The hints of the problems name options of other commands.
    const problems = error.problems.map(({ message }): Problem => ({ message }));
    return new LandfallError('SITE_SECRET', 'the answers contain a secret; nothing was written', {
      hint: 'Remove it. For a proxy with a password, run the command on a terminal, or use --route client and import the proxy on the server.',
      problems,
    });
  }
  const problems = error.problems.map(({ message, hint }): Problem => ({ message, hint }));
  return new LandfallError('USAGE', 'the answers are not a valid site; nothing was written', {
    hint: 'Correct the values above.',
    problems,
  });
}
