/** A command of `landfall` on the server. */
export interface Command {
  /** One line for `landfall help`. */
  readonly summary: string;
  /** How it is called, after the name; several ways with ` | ` between them. */
  readonly usage?: string;
  /** A whole call of it, as people type it. */
  readonly example: string;
  /** Whether people have no use for it: `landfall help` leaves it out. */
  readonly internal?: boolean;
  /** Whether it takes root. */
  readonly root: boolean;
  /** @throws LandfallError */
  run(args: readonly string[]): Promise<void>;
}
