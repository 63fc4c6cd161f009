/** Failures of the specification's table (section 7) that a check of an editor can show. */
export const remedies = {
  'proxy-not-working':
    'The proxy is not working. Check its configuration and its port, and try another port.',
  'proxy-login': 'Configure the login of the proxy: landfall editor configure --proxy-user <name>.',
  'ai-reply-empty':
    'The editor\'s AI reply is empty or "Network Error". Add the editor vendor\'s API domains to the proxy rules, or a wildcard such as *.cursor.sh to the PAC file.',
  'login-spins':
    'The sign-in with a code-hosting account does not end. Confirm http.proxy; on Windows, enable the loopback option of the proxy program; or sign in by email.',
  'extensions-fail': 'Extensions cannot be installed. Add this host to the proxy rules.',
  'tls-error':
    "Install the CA of the proxy in the system's certificate store. Do not turn verification off.",
  'proxy-bypassed': 'Remove the host from http.noProxy in the settings, or from NO_PROXY.',
  'vendor-failed': "The host has a failure. Check the vendor's status page and try again later.",
} as const;

export type RemedyName = keyof typeof remedies;
