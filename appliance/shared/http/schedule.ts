/** A request for a slot. */
interface Demand {
  /** Host whose limit applies; absent: only the overall limit. */
  readonly host?: string | undefined;
  /** Expected bytes to transfer, if known. */
  readonly bytes: number;
}

/** A slot. Release it on success, failure and abort. */
interface Permit {
  /** May be called more than once. */
  release(): void;
}

interface Bounds {
  readonly overall?: number | undefined;
  readonly perHost?: number | undefined;
}

interface Waiter extends Demand {
  readonly grant: () => void;
}

/** Requests up to this size may use the reserved slot. */
export const smallBytes = 4 * 1024 * 1024;

/**
 * Limits concurrency, overall and per host. Grants the largest request first, because the last
 * transfer determines the total time. Reserves one slot of each limit for small requests, so that
 * a manifest does not wait for a gigabyte.
 */
export class Scheduler {
  readonly #overall: number;
  readonly #perHost: number;
  readonly #running = new Set<Demand>();
  #waiting: Waiter[] = [];

  constructor({ overall = Number.POSITIVE_INFINITY, perHost = Number.POSITIVE_INFINITY }: Bounds) {
    this.#overall = Math.max(1, overall);
    this.#perHost = Math.max(1, perHost);
  }

  /** Waits for a slot. @throws the abort reason of the signal */
  acquire(demand: Demand, signal?: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        ...demand,
        grant: () => {
          signal?.removeEventListener('abort', leave);
          resolve(this.#permit(waiter));
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiter);
      this.#grantWhatFits();
    });
  }

  #permit(holder: Demand): Permit {
    this.#running.add(holder);
    return {
      release: () => {
        if (this.#running.delete(holder)) this.#grantWhatFits();
      },
    };
  }

  #grantWhatFits(): void {
    for (;;) {
      const fitting = this.#waiting.filter((waiter) => this.#fits(waiter));
      const [first] = fitting;
      if (first === undefined) return;
      const next = fitting.reduce(
        (best, other) => (other.bytes > best.bytes ? other : best),
        first,
      );
      this.#waiting = this.#waiting.filter((other) => other !== next);
      next.grant();
    }
  }

  #fits({ host, bytes }: Demand): boolean {
    const running = [...this.#running];
    const beside = running.filter((other) => host !== undefined && other.host === host);
    return isRoom(this.#overall, running, bytes) && isRoom(this.#perHost, beside, bytes);
  }
}

function isRoom(bound: number, running: readonly Demand[], bytes: number): boolean {
  if (running.length >= bound) return false;
  if (bytes <= smallBytes) return true;
  return running.filter((other) => other.bytes > smallBytes).length < Math.max(1, bound - 1);
}
