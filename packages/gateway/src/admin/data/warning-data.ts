/** Something that needs a person. */
export interface WarningData {
  readonly about: 'server' | 'label' | 'lock' | 'text' | 'audit' | 'config' | 'call' | 'instance';
  readonly isSevere: boolean;
  readonly text: string;
  /** The screen of the console that fixes it, such as `/servers`. */
  readonly link: string;
}
