(defn- remember
  "What the amoeba remembers from now on: what its tree says, in units of 1/256, to the nearest whole
  number, halves away from zero."
  [view]
  (let [u (worth-memory view 0)
        v (if (== u u) (max -16777216.0 (min 16777216.0 (* 256.0 u))) 0.0)]
    (long (if (neg? v) (Math/ceil (- v 0.5)) (Math/floor (+ v 0.5))))))

(defn amoeba
  [energy health species env data]
  (let [round (:round data 0)
        view  (view-of energy health species env round (:memory data 0))
        data  {:round (inc round) :memory (remember view)}]
    (assoc (decide view (rand-int 8)) :data data :child-data data)))
