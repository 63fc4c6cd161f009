/**
 * Something that integration tests need and this machine cannot give, with the reason why. It is
 * no failure: the suites that need it are skipped, and the summary names them with this reason.
 */
export class Unmet extends Error {
  override readonly name = 'Unmet';
}
