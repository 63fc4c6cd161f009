/** How long the tests wait for what takes its time; a busy machine is no failure. */
export const waiting = { timeout: 60_000, interval: 200 };
