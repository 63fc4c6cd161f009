/**
 * A warning about the site's certificate, marked as one: what wrote it and what takes it back once
 * the certificate is there must agree.
 */
export function certificateWarning(line: string): string {
  return `${mark}${line}`;
}

export function isCertificateWarning(warning: string): boolean {
  return warning.startsWith(mark);
}

const mark = 'certificate: ';
