/**
 * How a warning of a model that could not be brought in begins: what wrote it and what takes it back
 * once the model is there must agree.
 */
export function missingModelWarning(name: string): string {
  return `${name} is not here yet: `;
}
