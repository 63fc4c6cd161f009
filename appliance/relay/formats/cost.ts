/** What a request to an endpoint costs, and which fields of its body the provider reads for that. */
export interface Cost {
  /** `nothing` runs no model, and the answers of `prompt` have no text of a model. */
  readonly counts: 'nothing' | 'prompt' | 'answer';
  /**
   * Paths of the fields that limit an answer, in every spelling that the provider accepts. Without a
   * limit, the relay sets the first one whose outer object is in the body, else the first.
   */
  readonly limits: readonly string[];
  /** The path of the limit for providers that refuse the first one. */
  readonly otherLimit?: string;
  /** Whether the relay may set a limit. */
  readonly isLimitable: boolean;
  /** Paths of the fields with the number of answers. */
  readonly answers: readonly string[];
  /** Fields that hide a part of the cost: keys with a budget may not set them. */
  readonly uncounted: readonly string[];
  /** Whether the answer is a stream: if the client sets `stream`, unless it does, or always. */
  readonly streams: 'asked' | 'default' | 'always';
  /** Whether `stream_options` can ask for the usage of a stream. */
  readonly hasStreamOptions: boolean;
  /** Whether the body may be a file or a form. Other endpoints read JSON whatever its type. */
  readonly hasFiles: boolean;
  /** The fields that a key may set, others are removed; undefined for all. */
  readonly fields?: Kept;
}

/** The members of an object that are kept, and of the objects in them. */
export interface Kept {
  readonly names: ReadonlySet<string>;
  readonly inside?: Readonly<Record<string, ReadonlySet<string>>>;
}

/** An endpoint that runs no model. */
export const freeCost: Cost = {
  counts: 'nothing',
  limits: [],
  isLimitable: false,
  answers: [],
  uncounted: [],
  streams: 'asked',
  hasStreamOptions: false,
  hasFiles: false,
};

/** An endpoint without an answer of a model, such as one for embeddings. */
export const promptCost: Cost = { ...freeCost, counts: 'prompt' };

/** Returns the cost of an endpoint with an answer. @param limits fields that limit it */
export function answerCost(limits: readonly string[], more: Partial<Cost> = {}): Cost {
  return { ...freeCost, counts: 'answer', limits, isLimitable: limits.length > 0, ...more };
}
