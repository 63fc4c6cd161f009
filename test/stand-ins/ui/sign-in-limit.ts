/**
 * Open WebUI's limit of sign-ins for one e-mail address: 15 in the current and the three previous
 * minutes, also rejected ones (0.12.4, routers/auths.py and utils/rate_limit.py).
 */
export class SignInLimit {
  readonly #minutes = new Map<string, number[]>();

  /** Counts a sign-in. Returns whether it is one too many. */
  exceeds(email: string, now = Date.now()): boolean {
    const minute = Math.floor(now / 60_000);
    const recent = (this.#minutes.get(email) ?? []).filter((each) => each >= minute - 3);
    this.#minutes.set(email, [...recent, minute]);
    return recent.length >= 15;
  }
}
