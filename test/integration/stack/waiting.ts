/** Time limit for slow steps; a busy machine must not fail the tests. */
export const waiting = { timeout: 60_000, interval: 200 };
