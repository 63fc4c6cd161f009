import { parseJson } from '#contract/text/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns whether a JSON text is an error, in any of the formats that providers use. */
export function isErrorBody(text: string): boolean {
  const { error, errors, type, object, response, choices, code, message, base_resp } = fieldsOf(
    parseJson(text),
  );
  return (
    [error, errors, base_resp, fieldsOf(response).error].some(Boolean) ||
    [type, object].includes('error') ||
    (code !== undefined && message !== undefined) ||
    (Array.isArray(choices) && choices.some((choice) => fieldsOf(choice).error))
  );
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
