/** A choice of one, with a sentence about each. */

export interface Card {
  readonly id: string;
  readonly title: string;
  readonly about: string;
}

export interface CardsProps {
  readonly legend: string;
  readonly cards: readonly Card[];
  /** Default: none of them. */
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

export function Cards({ legend, cards, chosen, onChoose }: CardsProps) {
  return (
    <fieldset class="cards">
      <legend class="hidden">{legend}</legend>
      {cards.map(({ id, title, about }) => (
        <label key={id}>
          <input type="radio" name={legend} checked={id === chosen} onChange={() => onChoose(id)} />
          <b>{title}</b>
          <span class="dim">{about}</span>
        </label>
      ))}
    </fieldset>
  );
}
