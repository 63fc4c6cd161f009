import { LandfallError, type Problem } from '#contract/errors.ts';
import { parseSite } from '../config/parse-site.ts';
import { parseYaml } from '../config/yaml/parse.ts';

/**
 * Reads what is about to be written as `landfall user-data` will read it, so that no flag or answer
 * makes a file that is refused later.
 * @throws LandfallError USAGE, SITE_SECRET
 */
export function checkAnswers(siteText: string): void {
  try {
    parseSite(parseYaml(Buffer.from(siteText), 'site.yaml'));
  } catch (error) {
    throw asAnswers(error);
  }
}

/** Lines and columns of a file that does not exist help nobody. */
function asAnswers(error: unknown): unknown {
  if (!(error instanceof LandfallError)) return error;
  const problems = error.problems.map(({ message, hint }): Problem => ({ message, hint }));
  if (error.code === 'SITE_SECRET') {
    return new LandfallError('SITE_SECRET', 'the answers hold a secret; nothing was written', {
      hint: 'Leave it out. A password of the proxy is written into site.yaml by hand, if it must be.',
      problems,
    });
  }
  return new LandfallError('USAGE', 'the answers make no valid site; nothing was written', {
    hint: 'Give other values.',
    problems,
  });
}
