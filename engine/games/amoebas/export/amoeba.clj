ABOUT
;; The function amoeba takes what an amoeba function of the AMOEBAS course takes and returns its
;; action. The original tells no round: the data carry the countANDMEMORY.

(ns NAMESPACE)

(def ^:private f32 "Rounds to binary32, as every operation is rounded." unchecked-float)

(def ^:private cells
  (vec (for [y (range -3 4) x (range -3 4)] [x y])))

(defn- look
  "What stands in a visible cell: its fuel, who is there, and that one's energy and health."
  [env species [x y]]
  (when (<= (max (Math/abs (long x)) (Math/abs (long y))) VIEW)
    (let [cell (env x y)
          who  (:occupant cell)]
      {:fuel   (:fuel cell)
       :who    (cond (nil? who) :nobody
                     (and (zero? x) (zero? y)) :self
                     (= (:species who) species) :friend
                     :else :hostile)
       :energy (:energy who)
       :health (:health who)FRIENDMEMORY})))

(defn- turned
  "The cell (x, y) turned by quarter turns clockwise."
  [quarters x y]
  (case (int quarters)
    0 [x y]
    1 [(- y) x]
    2 [(- x) (- y)]
    3 [y (- x)]))

(defn- weights
  "The weights of a layer's cells in an area, whose corners are relative to the amoeba."
  [view quarters layer x1 y1 x2 y2]
  (for [y (range y1 (inc y2))
        x (range x1 (inc x2))
        :let [at   (turned quarters x y)
              cell (get (:cells view) at)]
        :when (and cell
                   (case layerLAYERS))]
    (case layerWEIGHTS)))

(defn- unit [layer] (case layerUNITS))

(defn- some-cell [view quarters & area]
  (boolean (seq (apply weights view quarters area))))

(defn- tally [view quarters & area]
  (f32 (count (apply weights view quarters area))))

(defn- total [view quarters layer & area]
  (f32 (* (f32 (reduce + 0 (apply weights view quarters layer area))) (unit layer))))

(defn- lowest [view quarters layer & area]
  (let [all (apply weights view quarters layer area)]
    (f32 (* (f32 (if (seq all) (reduce min all) 0)) (unit layer)))))
TREES

(def ^:private steps [[-1 -1] [0 -1] [1 -1] [1 0] [1 1] [0 1] [-1 1] [-1 0]])

(defn- candidates
  "The commands that are possible in a direction, with what they are worth."
  [view d]
  (let [energy   (:raw-energy view)
        who      (:who (get (:cells view) (steps d)))
        quarters (quot d 2)
        straight (odd? d)
        worth    (fn [one other] (if straight (one view quarters) (other view quarters)))]
    (concat
     (when (and (= who :hostile) (>= energy ATTACK-ENERGY))
       [[{:cmd :hit :dir d} (worth worth-hit worth-hit-diagonal)]])
     (when (and (= who :nobody) (>= energy MOVE-ENERGY))
       [[{:cmd :move :dir d} (worth worth-move worth-move-diagonal)]])
     (when (and (= who :nobody) (>= energy MIN-DIVIDE-ENERGY))
       [[{:cmd :divide :dir d} (worth worth-divide worth-divide-diagonal)]]))))

(defn- view-of
  "What the trees read."
  [energy health species env roundOWNMEMORY]
  (let [cells (into {} (for [at cells :let [cell (look env species at)] :when cell] [at cell]))]
    {:cells      cells
     :raw-energy energySENSES}))

(defn decide
  "The action of the greatest worth, the first among equals: rest, then around from a direction."
  [view start]
  (let [rest (worth-rest view 0)
        rest (if (== rest rest) rest Double/NEGATIVE_INFINITY)]
    (first
     (reduce (fn [[_ most :as best] [_ worth :as other]] (if (> worth most) other best))
             [{:cmd :rest} rest]
             (mapcat #(candidates view (mod (+ start %) 8)) (range 8))))))

THEFUNCTION