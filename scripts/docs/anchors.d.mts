export function createAnchors(): (heading: string) => string;
