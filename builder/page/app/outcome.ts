import { LandfallError } from '#contract/errors.ts';

/** A value, or the error that it could not be made for. */
export type Outcome<Value> =
  | { readonly value: Value; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: LandfallError };

/** Returns the result of a function as an outcome. Errors of other classes are bugs, and thrown. */
export function attempt<Value>(make: () => Value): Outcome<Value> {
  try {
    return { value: make() };
  } catch (error) {
    if (error instanceof LandfallError) return { error };
    throw error;
  }
}
