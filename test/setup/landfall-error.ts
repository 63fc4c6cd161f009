import { LandfallError } from '../../appliance/shared/contract/errors.ts';

/** Returns the error that a function throws. Fails if it throws none, or one of another kind. */
export function errorOf(work: () => unknown): LandfallError {
  try {
    work();
  } catch (error) {
    return ofProject(error);
  }
  throw new Error('no error was thrown');
}

/** Returns the error with which a promise rejects. Fails if it resolves, or for another kind. */
export async function rejectionOf(work: Promise<unknown>): Promise<LandfallError> {
  return ofProject(
    await work.then(
      () => new Error('the promise did not reject'),
      (error: unknown) => error,
    ),
  );
}

function ofProject(error: unknown): LandfallError {
  if (error instanceof LandfallError) return error;
  throw error;
}
