import type { SignedRequest } from './signature.ts';

/** When the connections to a store are cut. */
export interface CutPlan {
  /** The requests that count, as `PUT /bucket/data/1`; default: all. */
  readonly of?: RegExp;
  /** How many of them are answered before; default: none. */
  readonly requests?: number;
  /** How many bytes of their bodies, and of the bodies of the answers, pass before; default: none. */
  readonly bytes?: number;
}

/** A cut of all connections: from a moment on, none works. */
export class Cut {
  /** Resolves when the connections are cut. */
  readonly happened: Promise<void>;
  readonly #plan: CutPlan;
  readonly #happen: () => void;
  #requests: number;
  #bytes: number;
  #isCut = false;

  constructor(plan: CutPlan) {
    this.#plan = plan;
    this.#requests = plan.requests ?? 0;
    this.#bytes = plan.bytes ?? 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.happened = promise;
    this.#happen = resolve;
  }

  /** Counts a request. Returns whether it can go on. */
  begin(request: SignedRequest): boolean {
    if (this.#isCut) return false;
    if (!this.#counts(request) || this.#plan.bytes !== undefined) return true;
    this.#requests -= 1;
    return this.#requests >= 0 || this.#end();
  }

  /** Counts bytes of a body. Returns how many of them pass. */
  pass(request: SignedRequest, bytes: number): number {
    if (this.#isCut) return 0;
    if (this.#plan.bytes === undefined || !this.#counts(request)) return bytes;
    const passed = Math.min(bytes, this.#bytes);
    this.#bytes -= passed;
    if (passed < bytes) this.#end();
    return passed;
  }

  #counts({ method, target }: SignedRequest): boolean {
    return this.#plan.of?.test(`${method} ${target}`) ?? true;
  }

  #end(): false {
    this.#isCut = true;
    this.#happen();
    return false;
  }
}
