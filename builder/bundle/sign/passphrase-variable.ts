/** Environment variable with the passphrase, for use without a terminal. */
export const passphraseVariable = 'LANDFALL_KEY_PASSPHRASE';
