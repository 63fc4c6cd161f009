/**
 * Reports a dependency of integration tests that this machine cannot provide, with the reason. It
 * is not a failure: the suites that need it are skipped, and the summary lists them with this
 * reason.
 */
export class Unmet extends Error {
  override readonly name = 'Unmet';
}
