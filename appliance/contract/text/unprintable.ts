/** Control characters, and those that turn the direction of text around or hide it. */
export const unprintable = /[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
