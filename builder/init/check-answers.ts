import { LandfallError, type Problem } from '#contract/errors.ts';
import { parseYaml } from '#yaml/parse.ts';
import { parseSite } from '../config/parse-site.ts';

/**
 * Validates the text of site.yaml before it is written, with the same rules as `landfall user-data`.
 * @throws LandfallError USAGE, SITE_SECRET
 */
export function checkAnswers(siteText: string): void {
  try {
    parseSite(parseYaml(Buffer.from(siteText), 'site.yaml'));
  } catch (error) {
    throw asAnswers(error);
  }
}

/** Removes lines and columns, because the file does not exist yet. */
function asAnswers(error: unknown): unknown {
  if (!(error instanceof LandfallError)) return error;
  const problems = error.problems.map(({ message, hint }): Problem => ({ message, hint }));
  if (error.code === 'SITE_SECRET') {
    return new LandfallError('SITE_SECRET', 'the answers contain a secret; nothing was written', {
      hint: 'Remove it. If the proxy requires a password, add it to site.yaml later.',
      problems,
    });
  }
  return new LandfallError('USAGE', 'the answers are not a valid site; nothing was written', {
    hint: 'Correct the values below.',
    problems,
  });
}
